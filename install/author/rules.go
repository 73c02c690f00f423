package author

// rule is one named check of a connector.
type rule struct {
	name string
	find func(subject, notes)
}

// rules are the guide's, in its order, beside those that readerChecks name.
// docs/authoring.md lists them all.
var rules = []rule{
	{"folder-name", checkFolderName},
	{"flat", checkFlat},
	{"icons", checkIcons},
	{"name", checkName},
	{"known-fields", checkKnownFields},
	{"identical", checkIdentical},
	{"version", checkVersion},
	{"description", checkDescription},
	{"llm-description", checkLLMDescription},
	{"tool-names", checkToolNames},
	{"launch-command", checkLaunchCommand},
	{"transport", checkTransport},
	{"remote", checkRemote},
	{"placement", checkPlacement},
	{"requires", checkRequires},
	{"placeholders", checkPlaceholders},
	{"auth-type", checkAuthType},
	{"api-key-form", checkAPIKey},
	{"oauth", checkOAuth},
	{"public-secrets", checkPublicSecrets},
	{"form-read", checkFormRead},
	{"form-labels", checkFormLabels},
	{"form-defaults", checkFormDefaults},
	{"form-secrets", checkFormSecrets},
	{"form-reserved", checkFormReserved},
	{"form-legacy", checkFormLegacy},
	{"dependency-file", checkDependencyFile},
	{"host-assets", checkHostAssets},
	{"vendored", checkVendored},
	{"lockfile", checkLockfile},
	{"pinned", checkPinned},
	{"verify", checkVerify},
}
