/**
 * The script that a held container runs: it waits. The sleep is in the background, so that SIGTERM ends the script at
 * once.
 */
export const WAITING_SCRIPT = `#!/bin/sh
trap 'exit 0' TERM INT
while :; do
  sleep 3600 &
  wait $!
done
`

/**
 * Enters a held job: takes over what the job wrote for its later stages (`GITLAB_ENV`), then runs the arguments, or a
 * shell without arguments. The other variables of the job are those of the container. Programs for people, such as
 * `switchyard-step`, are found after those of the image.
 */
export const ENTER_SCRIPT = `switchyard_directory=$RUNNER_TEMP_PROJECT_DIR
switchyard_file=$switchyard_directory/gitlab_runner_env
if [ -f "$switchyard_file" ] && [ -r "$switchyard_file" ]; then
  while IFS= read -r switchyard_line || [ -n "$switchyard_line" ]; do
    case "$switchyard_line" in *=*) ;; *) continue ;; esac
    case "\${switchyard_line%%=*}" in
      ''|[0-9]*|*[!A-Za-z0-9_]*) ;;
      *) export "$switchyard_line" ;;
    esac
  done <"$switchyard_file"
fi
export PATH="$PATH:$switchyard_directory"
unset switchyard_directory switchyard_file switchyard_line
if [ $# -gt 0 ]; then exec "$@"; fi
if command -v bash >/dev/null 2>&1; then exec bash; fi
exec sh`
