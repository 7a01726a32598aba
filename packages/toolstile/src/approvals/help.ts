export const help = `Usage: toolstile approvals list|show|approve|deny [ID] [OPTION…]

What waits for a human's yes: list it, show one question with all that its
answer is bound to, and answer it. An answer is for every run that waits for
just the same, and that was there when it was shown. There is no approval with
changes: deny, and have the tool called with other arguments.

Where approvals are kept:
  --store DIR        the folder of a fileStore()
  --database URL     the database of a postgresStore(); needs pg, from the
                     folder that this command is called in
  --table NAME       its table, if not toolstile_approvals
  --key FILE         the store's key, if it is not the folder's own

Options:
  --by NAME          who answers; without it, the user who is logged in
  --reason TEXT      with deny: why. The model reads it
  --only             this run only, though others wait for the same
  --yes              do not ask again. Needed where there is no terminal;
                     without it, approve has a code typed that it shows
  --json             print one JSON object

Exit codes:
  0  done
  1  not all was answered: it is not there, was answered already, has expired
     or was not confirmed; or an approval is damaged, which counts as denied
  2  the store cannot be used, or the command was called wrongly

Example:
  toolstile approvals list --store approvals
  toolstile approvals approve 0mk1a2b3c-… --store approvals --by ann
`;
