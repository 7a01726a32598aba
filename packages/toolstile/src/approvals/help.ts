export const help = `Usage: toolstile approvals list|show|approve|deny [ID] [OPTION…]

Lists the tool calls that wait for a human, shows one of them, and answers it.

  list         one line for each call: who asks, in which session, and the
               arguments, long texts cut
  show ID      all that is known of one call. The answer is for exactly this
  approve ID   the call may run, once
  deny ID      the call must not run

An answer is for all runs that were waiting for the same call when it was shown.
You cannot approve with changes: deny, and have the tool called with other
arguments. Arguments may hold secrets: list and show print them.

Where the approvals are stored:
  --config FILE      the guard.yaml whose approver asks. A relative folder in it
                     is relative to the current one. Environment variables that
                     its approver names must be set
  --store DIR        the folder of a fileStore()
  --database URL     the database of a postgresStore(); needs pg in the
                     current folder
  --table NAME       the table, if it is not toolstile_approvals
  --key FILE         the store's key, if it is not in the folder

Options:
  --by NAME          the name of who answers. Default: the user who is logged in
  --reason TEXT      with deny: the reason. The model reads it when the call
                     goes on: at once if it waits, otherwise when the agent's
                     program calls resume(ID), or the client of toolstile mcp
                     makes the call again
  --only             answer only for this run, not for all that wait for the
                     same call
  --yes              do not ask for confirmation; required without a terminal.
                     Without it, approve shows a code that must be typed
  --json             print one JSON object

Exit codes:
  0  done
  1  something was not answered: it does not exist, was answered already, has
     expired or was not confirmed; or an approval is damaged (it counts as
     denied)
  2  the store cannot be used, or the command line is wrong

Example:
  toolstile approvals list --config guard.yaml
  toolstile approvals approve 0mk1a2b3c-… --store approvals --by ann
`;
