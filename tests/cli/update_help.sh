#!/bin/sh
# Writes down the help texts anew, after a change that is meant.
set -e
cd "$(dirname "$0")/../.."
export COLUMNS=100 NO_COLOR=1 LANG=C.UTF-8
unset LC_ALL LC_MESSAGES
python=${PYTHON:-python3}
"$python" -m arena --help > tests/cli/help/arena.txt
for command in games rules play plan sweep tournament leaderboard balance effects power workers \
    report replay audit export bridge bench serve; do
  "$python" -m arena "$command" --help > "tests/cli/help/$command.txt"
done
for command in new check play replay; do
  "$python" -m arena bot "$command" --help > "tests/cli/help/bot $command.txt"
done
for command in new list revoke log; do
  "$python" -m arena token "$command" --help > "tests/cli/help/token $command.txt"
done
