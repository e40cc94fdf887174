/** In the order in which they are tried (runner protocol, 7.3). */
const SHELLS = [
  '/usr/local/bin/bash',
  '/usr/bin/bash',
  '/bin/bash',
  '/usr/local/bin/sh',
  '/usr/bin/sh',
  '/bin/sh',
  '/busybox/sh',
]

/** Sets `switchyard_shell` to the shell that runs scripts. */
export const FIND_SHELL = `for switchyard_shell in ${SHELLS.join(' ')} ''; do
  if [ -x "$switchyard_shell" ]; then break; fi
done
if [ -z "$switchyard_shell" ]; then
  echo "shell not found"
  exit 1
fi`
