package manifest

// Severity of a Problem.
const (
	Warning = "warning" // shown on the card
	Error   = "error"   // shown on the card, and the release cannot be installed
)

// Problem is one thing that is wrong with what a publisher declared.
type Problem struct {
	Severity string `json:"severity"`
	Where    string `json:"where"` // document and field, e.g. "connector.json: env[2].name"
	What     string `json:"what"`
	Hint     string `json:"hint,omitempty"` // what to do about it
}

func (p Problem) String() string { return p.Where + ": " + p.What }
