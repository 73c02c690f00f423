package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) memberVerb() *cobra.Command {
	return ofVerbs(&cobra.Command{
		Use:   "member",
		Short: "Add and list the people of the household",
		Long: `A member is a person of the household. Each has their own activations, secrets, files and agents; nobody sees
another's.`,
	}, a.memberAddVerb(), a.memberListVerb())
}

func (a *app) memberAddVerb() *cobra.Command {
	var m api.Member
	var uid int
	verb := &cobra.Command{
		Use:   "add NAME",
		Short: "Add a member",
		Long: `Adds a person. With --uid that user of this machine may use the verbs for themselves; without it only an admin acts
for them. Names have lower case letters, digits, - and _, at most 32. Only an admin adds members.

--json: {"name","admin","uid"}.`,
		Example: `  majordomo member add ann --uid 1000
  majordomo member add root --admin`,
		Args: oneArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			m.Name = args[0]
			if cmd.Flags().Changed("uid") {
				m.UID = &uid
			}
			added, err := a.client().AddMember(cmd.Context(), m)
			if err != nil {
				return err
			}
			return a.print(added, func() { a.say("added %s", added.Name) })
		},
	}
	verb.Flags().IntVar(&uid, "uid", 0, "the user of this machine this member is")
	verb.Flags().BoolVar(&m.Admin, "admin", false, "may install, remove and act for everybody")
	return verb
}

func (a *app) memberListVerb() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the members",
		Long:    "Lists the household; a member who is no admin sees only themselves.\n\n--json: array of {\"name\",\"admin\",\"uid\"}.",
		Example: "  majordomo member list",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			members, err := a.client().Members(cmd.Context())
			if err != nil {
				return err
			}
			return a.print(members, func() { a.showMembers(members) })
		},
	}
}

func (a *app) showMembers(members []api.Member) {
	var rows [][]string
	for _, m := range members {
		role, uid := "member", ""
		if m.Admin {
			role = "admin"
		}
		if m.UID != nil {
			uid = strconv.Itoa(*m.UID)
		}
		rows = append(rows, []string{m.Name, role, uid})
	}
	a.list("MEMBER ROLE UID", rows, "nobody is here yet: majordomo member add NAME")
}
