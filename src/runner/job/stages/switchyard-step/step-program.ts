import { FIND_SHELL } from '../../../../lib/find-shell.js'
import { MARKS_DIRECTORY } from '../../../workspace/layout.js'
import { COMPLETE, FIND_SAVED, SAVED_BY_BASH } from './saved-environment.js'

/**
 * The program that people run in the shell of a held job. Needs a POSIX shell and, for times, `date`.
 *
 * `data`: shell code that calls, for each script, `script NAME TITLE FAILED`, and for each of its lines `line NUMBER START
 * KIND FIRST LAST CODE TIME TEXT`:
 *
 * - NAME: begins the names of the files of the script (`markPrefix`)
 * - FAILED: the line that failed, or nothing
 * - START: number of the line with which the command of the line begins
 * - KIND: `function` if a function is defined from here on, and nothing else is done
 * - FIRST, LAST: its lines of text in the file `switchyard-step.NAME` beside the program, with those that print it; of a
 *   function up to its end
 * - CODE: exit code; `none` if it did not run, `ended` if it was ended from outside
 * - TIME: how long it ran
 *
 * Reads what the scripts have saved in `MARKS_DIRECTORY`, beside the program. That is as little to be trusted as a script, so
 * only a container runs this program.
 */
export function stepProgram(data: string): string {
  return `#!/bin/sh
# Lists the lines of the scripts of a held job, and runs them again.
directory=\${0%/*}
left=$directory/${MARKS_DIRECTORY}

usage() {
  printf '%s\\n' \\
    'switchyard-step                    list the lines of the scripts, with exit codes and times' \\
    'switchyard-step run                run again from the line that failed, with the environment as it was' \\
    'switchyard-step run [SCRIPT] LINE  run again from another line'
}

data() {
${data}
}

fail() {
  printf 'switchyard-step: %s\\n' "$1" >&2
  exit 2
}

is_number() {
  case $1 in '' | *[!0-9]* | ????????????*) return 1 ;; esac
}

now() {
  date +%s 2>/dev/null
}

# Sets again: how lines of the script ended when this program ran them, each as "LINE:CODE:TIME|". Sets failed_again.
read_again() {
  again='|'
  failed_again=
  last=
  [ -f "$left/$name.again" ] || return 0
  while read -r next status at rest; do
    is_number "$status" || continue
    if is_number "$last"; then
      took=
      if is_number "$at" && is_number "$at_last"; then took="$((at - at_last)) s"; fi
      again="$again$last:$status:$took|"
      failed_again=
      if [ "$next$status" != end0 ]; then failed_again=$last; fi
    fi
    last=$next
    at_last=$at
  done <"$left/$name.again"
  if is_number "$last"; then
    again="$again$last:ended:|"
    failed_again=$last
  fi
}

# Calls enter for each script and visit for each line. They find its last run in code and time.
script() {
  name=$1
  title=$2
  failed_line=$3
  read_again
  first_again=\${again#|}
  first_again=\${first_again%%:*}
  if [ -n "$first_again" ]; then failed_line=$failed_again; fi
  enter
}

line() {
  number=$1 start=$2 kind=$3 first=$4 end=$5 code=$6 time=$7
  shift 7
  if [ -n "$first_again" ] && [ "$number" -ge "$first_again" ]; then
    code=none time=
    case $again in
      *"|$number:"*)
        code=\${again##*"|$number:"}
        code=\${code%%"|"*}
        time=\${code#*:}
        code=\${code%%:*}
        ;;
    esac
  fi
  visit "$1"
}

# Sets failed and failed_title: the line that failed in the first script that did not succeed.
find_failed() {
  failed=
  failed_title=
  first_title=
  enter() {
    first_title=\${first_title:-$title}
    if [ -z "$failed" ] && [ -n "$failed_line" ]; then failed=$failed_line failed_title=$title; fi
  }
  visit() { :; }
  data
}

list() {
  find_failed
  enter() { printf '%s\\n' "$title"; }
  visit() {
    case $code in
      none) outcome= ;;
      ended) outcome=ended ;;
      *) outcome="exit $code" ;;
    esac
    mark=' '
    if [ "$title" = "$failed_title" ] && [ "$number" = "$failed" ]; then mark='>'; fi
    printf '%s %4s  %-8s %9s  %s\\n' "$mark" "$number" "$outcome" "$time" "$1"
  }
  data
  printf '\\n'
  usage
}

# Sets chosen (a name), chosen_title, wanted (a number), starts (of the lines up to that one, the last one first), and
# reached: the last line that ran. $1: a title, $2: a number, each may be empty.
choose() {
  find_failed
  chosen_title=\${1:-\${failed_title:-$first_title}}
  wanted=$2
  if [ -z "$wanted" ]; then
    [ "$failed_title" = "$chosen_title" ] ||
      fail "It is not known that a line of \\"$chosen_title\\" failed. Name the line: switchyard-step run $chosen_title 1"
    wanted=$failed
  fi
  chosen=
  starts=
  reached=
  count=0
  enter() {
    if [ "$title" = "$chosen_title" ]; then chosen=$name; fi
  }
  visit() {
    [ "$title" = "$chosen_title" ] || return 0
    count=$number
    [ "$code" = none ] || reached=$start
    if [ "$number" -le "$wanted" ] && [ "\${starts%% *}" != "$start" ]; then starts="$start $starts"; fi
  }
  data
  [ -n "$chosen" ] || fail "There is no script \\"$chosen_title\\""
  if [ "$wanted" -lt 1 ] || [ "$wanted" -gt "$count" ]; then fail "\\"$chosen_title\\" has the lines 1 to $count"; fi
}

# Prints the lines of text from $1 to $2 of the chosen script.
print_text() {
  at=0
  while IFS= read -r text || [ -n "$text" ]; do
    at=$((at + 1))
    [ "$at" -ge "$1" ] || continue
    [ "$at" -le "$2" ] || break
    printf '%s\\n' "$text"
  done <"$directory/switchyard-step.$chosen"
}

# Sets text_start: the line of text with which the command of line $1 begins. Prints the functions that are defined before,
# if functions is yes.
find_text() {
  from=$1
  enter() { :; }
  visit() {
    [ "$title" = "$chosen_title" ] || return 0
    if [ "$number" = "$from" ]; then text_start=$first; fi
    if [ "$functions" = yes ] && [ "$kind" = function ] && [ "$number" -lt "$from" ]; then
      print_text "$((first + 1))" "$end"
    fi
  }
  data
}

# Sets environment and saver for the line $1. Fails if its environment was not saved as a whole.
find_environment() {
  line=$1
  ${FIND_SAVED.replaceAll('\n', '\n  ')}
  environment=$left/$chosen.$saved
  [ -f "$environment" ] && [ -r "$environment" ] || return 1
  top= saver= text=
  {
    IFS= read -r top
    IFS= read -r saver
    while IFS= read -r text; do :; done
  } <"$environment" 2>/dev/null
  bottom=
  while IFS= read -r text; do bottom=$text; done <"$environment"
  [ "$top" = "$header" ] && [ "$bottom" = '${COMPLETE}' ]
}

# Variables that the script has unset must not come from this shell.
prelude='trap "exit 1" TERM
exec </dev/null
export -p >"$switchyard_names"
while IFS= read -r switchyard_line; do
  switchyard_line=\${switchyard_line#export }
  switchyard_line=\${switchyard_line#declare -x }
  switchyard_line=\${switchyard_line%%=*}
  case $switchyard_line in "" | switchyard_* | [0-9]* | *[!A-Za-z0-9_]*) continue ;; esac
  unset "$switchyard_line"
done <"$switchyard_names"
unset switchyard_line switchyard_names'

run() {
  choose "$@"
  ${FIND_SHELL.replaceAll('\n', '\n  ')}
  [ -d "$left" ] || mkdir -p "$left"
  results=$left/$chosen.again
  script=$left/$chosen.run
  functions=no
  # A line inside a command, such as a loop over several lines, cannot be run without its beginning.
  begin=
  for start_line in $starts; do
    find_text "$start_line"
    print_text "$text_start" 99999999 >"$script" || fail "$left cannot be written"
    if "$switchyard_shell" -n "$script" 2>/dev/null; then
      begin=$start_line
      break
    fi
  done
  if [ -z "$begin" ]; then
    begin=\${starts%% *}
    find_text "$begin"
  fi
  [ "$begin" = "$wanted" ] || printf 'Line %s belongs to a command that begins in line %s.\\n' "$wanted" "$begin"
  if ! find_environment "$begin"; then
    [ -n "$reached" ] && find_environment "$reached" ||
      fail "The environment before line $begin was not saved. The disk may have been full, or the job has removed $left."
    printf 'Line %s did not run. It gets the environment before line %s.\\n' "$begin" "$reached"
  fi
  lost='open files, processes in the background, limits (ulimit)'
  if [ "$saver" != '${SAVED_BY_BASH}' ]; then
    functions=yes
    lost="functions (but those that a line of its own defines), aliases, traps, $lost"
  fi
  {
    printf 'switchyard_names=%s\\n' "'$left/$chosen.names'"
    printf '%s\\n' "$prelude"
    find_text "$begin"
    printf '. %s 8>&2 2>/dev/null\\n' "'$environment'"
    print_text "$text_start" 99999999
  } >"$script" || fail "$left cannot be written"
  printf 'Running "%s" from line %s. Not restored: %s.\\n' "$chosen_title" "$begin" "$lost"
  : >"$results"
  "$switchyard_shell" "$script"
  status=$?
  printf 'end %s %s\\n' "$status" "$(now)" >>"$results"
  printf 'Exit code %s\\n' "$status"
  exit "$status"
}

case $#:\${1-} in
  0:) list ;;
  1:run) run '' '' ;;
  2:run) if is_number "$2"; then run '' "$2"; else run "$2" ''; fi ;;
  3:run) if is_number "$3"; then run "$2" "$3"; else fail "\\"$3\\" is not the number of a line"; fi ;;
  1:-h | 1:--help | 1:help) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
`
}
