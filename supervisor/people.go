package supervisor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"majordomo/supervisor/members"
)

const (
	maxUID       = 1<<32 - 2 // the kernel's last one means "nobody"
	maxTokenName = 64
)

// Identify says who a uid of this machine is. Uid 0 and the daemon's own are
// admin; a uid that is mapped to nobody gets an empty Caller.
func (s *Supervisor) Identify(ctx context.Context, uid int) (Caller, error) {
	c := Caller{UID: uid, Admin: uid == 0 || uid == os.Geteuid()}
	m, err := s.members.ByUID(ctx, uid)
	if errors.Is(err, members.ErrUnknown) {
		return c, nil
	}
	c.Member, c.Admin = m.Name, c.Admin || m.Admin
	return c, err
}

// AddMember adds a person. uid, when not nil, is theirs alone.
func (s *Supervisor) AddMember(ctx context.Context, m Member) error {
	if m.UID != nil && (*m.UID < 0 || int64(*m.UID) > maxUID) {
		return &Invalid{What: "add member " + m.Name, Problems: []string{fmt.Sprintf("%d is no uid: use 0 to %d", *m.UID, int64(maxUID))}}
	}
	err := s.members.Add(ctx, members.Member(m))
	var taken *members.TakenError
	var name *members.NameError
	if errors.As(err, &taken) || errors.As(err, &name) {
		return &Invalid{What: "add member " + m.Name, Problems: []string{err.Error()}}
	}
	if err != nil {
		return fmt.Errorf("cannot add member %s: %w", m.Name, err)
	}
	return nil
}

// Members lists the household by name.
func (s *Supervisor) Members(ctx context.Context) ([]Member, error) {
	all, err := s.members.List(ctx)
	out := make([]Member, len(all))
	for i, m := range all {
		out[i] = Member(m)
	}
	return out, err
}

// CreateToken makes a token for an agent of the member. The text is returned
// here and nowhere else.
func (s *Supervisor) CreateToken(ctx context.Context, member, name string) (t Token, text string, err error) {
	if err := s.exists(ctx, member); err != nil {
		return Token{}, "", err
	}
	if n := utf8.RuneCountInString(name); n == 0 || n > maxTokenName || strings.ContainsFunc(name, unicode.IsControl) {
		return Token{}, "", &Invalid{What: "make a token", Problems: []string{
			fmt.Sprintf("its name must be 1 to %d characters in one line", maxTokenName),
		}}
	}
	made, text, err := s.members.CreateToken(ctx, member, name)
	return Token(made), text, err
}

// Tokens lists the member's tokens, oldest first; everybody's when "".
func (s *Supervisor) Tokens(ctx context.Context, member string) ([]Token, error) {
	all, err := s.members.Tokens(ctx)
	var out []Token
	for _, t := range all {
		if member == "" || t.Member == member {
			out = append(out, Token(t))
		}
	}
	return out, err
}

// RevokeToken makes a token of the member worthless from now on; anybody's
// when "".
func (s *Supervisor) RevokeToken(ctx context.Context, member, id string) error {
	tokens, err := s.Tokens(ctx, member)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(tokens, func(t Token) bool { return t.ID == id }) {
		return &NotFound{Kind: "token", Name: id, Hint: "see majordomo token list"}
	}
	return s.members.RevokeToken(ctx, id)
}

// MemberOfToken says whose token this is, or fails with NotFound.
func (s *Supervisor) MemberOfToken(ctx context.Context, text string) (string, error) {
	member, err := s.members.MemberOf(ctx, text)
	if errors.Is(err, members.ErrUnknown) {
		return "", &NotFound{Kind: "token", Name: "…", Hint: "it was revoked or is not one of ours; make one with: majordomo token create"}
	}
	return member, err
}

// AdminOfToken says whose token this is, where that is an admin's.
func (s *Supervisor) AdminOfToken(ctx context.Context, text string) (string, error) {
	name, err := s.MemberOfToken(ctx, text)
	if err != nil {
		return "", err
	}
	all, err := s.members.List(ctx)
	if err != nil {
		return "", err
	}
	if !slices.ContainsFunc(all, func(m members.Member) bool { return m.Name == name && m.Admin }) {
		return "", &NotAdmin{Member: name}
	}
	return name, nil
}

// exists is the answer for whoever names somebody unknown.
func (s *Supervisor) exists(ctx context.Context, member string) error {
	all, err := s.members.List(ctx)
	if err != nil {
		return err
	}
	var names []string
	for _, m := range all {
		if m.Name == member {
			return nil
		}
		names = append(names, m.Name)
	}
	hint := "there is nobody yet; add somebody with: majordomo member add NAME"
	if len(names) > 0 {
		hint = "the members are " + strings.Join(names, ", ")
	}
	return &NotFound{Kind: "member", Name: member, Hint: hint}
}
