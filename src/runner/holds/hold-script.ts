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
