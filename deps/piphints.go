package deps

// pipHints are about what pip says, and what it notes in its log.
var pipHints = []hint{
	{re(`DO NOT MATCH THE HASHES[\s\S]*?^\s+(\S+) from `),
		"the index's bytes of ${1} do not match the digest in requirements.txt: do not use them, and tell the publisher"},
	{re(`DO NOT MATCH THE HASHES`), "the index's bytes do not match the digest in requirements.txt: do not use them, and tell the publisher"},
	{re(`Hashes are required in --require-hashes mode[\s\S]*?^\s+(\S+) --hash`), noDigest},
	{re(`must have their versions pinned with ==[\s\S]*?^\s+(\S+) from `), noDigest},
	{re(`Could not fetch URL (\S+): connection error`), "${1} does not answer: look at the addresses in requirements.txt and in pip's configuration"},
	{re(`Could not fetch URL (\S+): .*?too many (5\d\d) error`), "the index answers ${2} for ${1}: try again later, or ask whoever keeps it"},
	{re(`Could not fetch URL (\S+): (5\d\d .*?) for url`), "the index answers ${2} for ${1}: try again later, or ask whoever keeps it"},
	{re(`Could not fetch URL (\S+): 40[17] `), "the index wants credentials for ${1}: configure them for pip"},
	{re(`Could not fetch URL (\S+): 403 `), "the index refused ${1}: look at the credentials configured for pip"},
	{re(`40[17] Error|40[17] Client Error`), "the index wants credentials: configure them for pip"},
	{re(`403 Client Error`), "the index refused: look at the credentials configured for pip"},
	{re(`repository located at (\S+) is not a trusted or secure host`),
		"the index ${1} is asked without TLS, which pip refuses: give its address with https, or set trusted-host for pip"},
	{re(`HTTP error (\d+) while getting (\S+)`), "${2} cannot be had (${1}): ask the publisher to correct requirements.txt"},
	{re(`Ignored the following versions that require a different python version: (.+)`), otherPython},
	{re(`'(\S+)' requires a different Python: (.+)`), otherPython},
	{re(`File '(.+?)' does not exist`), notShipped},
	{re(`Could not open (?:requirements|constraint) file: .*'(.+?)'`), notShipped},
	{re(`Invalid requirement: '?([^'\n]+)'?[\s\S]*?\(from line (\d+) of (\S+?)\)`), "line ${2} of ${3} (${1}) is no requirement: ask the publisher to correct it"},
	{re(`no such option: (\S+)`), "requirements.txt has the option ${1}, which this pip does not know: ask the publisher to leave it out"},
	{re(`auto_decode[\s\S]*UnicodeDecodeError`), "requirements.txt is not UTF-8: ask the publisher to save it as that"},
	{re(`Cannot install (.+?) because these package versions have conflicting`),
		"requirements.txt asks for ${1}, which exclude each other: ask the publisher to loosen one of them"},
	{re(`Wheel '(.+?)' located at \S+ is invalid`), damaged},
	{re(`(\S+) from \S+ .*has inconsistent (?:name|version)`), damaged},
	{re(`(\S+\.whl) is not a supported wheel on this platform`), "${1} is made for another platform: ask the publisher for a version that fits this one"},
	{re(notBuilt), "a package has to be built from source, which deps.scripts does not allow"},
	{re(`none of the wheel's tags \((.+?)\)[\s\S]*No matching distribution found for (\S+)`),
		"${2} is there for other platforms or versions of Python only (${1}): ask the publisher of the connector for a version that fits this one"},
}

// releaseHints are about what pip finds no release for that is built already.
var releaseHints = []hint{
	{re(`satisfies the requirement (.+?) \(from versions: (\d.*?)\)`),
		"no release fits ${1}: for this platform the index has ${2}, of which some may be withdrawn: ask the publisher to correct requirements.txt"},
	{re(`No matching distribution found for (\S+)`),
		"no release of ${1} fits this platform and version of Python, or it does not exist: look at requirements.txt"},
}

const (
	noDigest    = "requirements.txt has digests, but none or no version for ${1}: ask the publisher to name one for every package"
	otherPython = "a package asks for another version of Python (${1}): install that, or ask the publisher for a package that fits"
	notShipped  = "requirements.txt leads to ${1}, which is not among the connector's files: ask the publisher to ship it"
	damaged     = "the file that the index has for ${1} is damaged: try again later, or ask whoever publishes it"
)
