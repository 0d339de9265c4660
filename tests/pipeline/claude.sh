#!/bin/bash
# Stands in for Claude Code: does the step that its prompt names. At first the product manager leaves out a heading,
# and the engineer, who asks the architect, breaks the test and changes a file of others. $NOTES gets a line where it
# begins and where it ends.
prompt=$(cat)
[[ $prompt =~ 'You are the agent "'([a-z-]+) ]] && role=${BASH_REMATCH[1]}
issue=0 step=ask
[[ $prompt =~ 'Your step of issue #'([0-9]+)' is "'([a-z]+) ]] && issue=${BASH_REMATCH[1]} step=${BASH_REMATCH[2]}
work="$role $step of #$issue"
earlier=$(grep -cs "^end $work" "$NOTES")
echo "start $work" >>"$NOTES"
sleep "0.$((RANDOM % 4))"
write() { mkdir -p "${1%/*}" && cat >"$1"; }
reply=Done.
case $step in
  ask) reply="Cents, as the ADR says." ;;
  prd) { echo "# PRD"; ((earlier)) && printf '\n## Goals\n\nIt works.\n'; } | write docs/prd/PRD-$issue.md ;;
  ux) echo "# UX" | write docs/ux/UX-$issue.md ;;
  architecture) echo "# ADR" | write docs/adr/ADR-$issue.md ;;
  implement)
    if ((earlier)); then
      echo "works" >app.txt && rm -f other.txt
    else
      $AGENTX ask architect --issue "$issue" --from engineer "Cents or euros?" >answer.txt 2>&1
      grep -q Cents answer.txt || reply="Nobody answered: $(tr '\n"\\' '   ' <answer.txt)"
      rm answer.txt; echo broken >app.txt && echo mine >other.txt
    fi ;;
  review) echo "# Review" | write docs/reviews/REVIEW-$issue.md ;;
esac
echo "end $work: $reply" >>"$NOTES"
echo '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"'"$reply"'"}'
