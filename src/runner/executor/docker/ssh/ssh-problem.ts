import type { SshAddress } from './ssh-address.js'

/** What ssh and the machine print, and what it means. In the order in which they are tried. */
const KNOWN: readonly [RegExp, (to: string, machine: string) => string][] = [
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    (_, machine) =>
      `The host key of ${machine} is not the one in known_hosts. If the machine was installed again, remove the old key: ssh-keygen -R ${machine}`,
  ],
  [
    /Host key verification failed|No .* host key is known/,
    (to, machine) =>
      `The host key of ${machine} is not known. Connect once as the user of the runner and compare it (ssh ${to}), or add it to known_hosts`,
  ],
  [
    /permission denied while trying to connect to the docker daemon|dial unix .*permission denied/i,
    (to) => `The user of ${to} may not use Docker there: add it to the group docker`,
  ],
  [
    /Load key .*bad permissions|UNPROTECTED PRIVATE KEY FILE/,
    () => 'The key is readable by others, so ssh does not use it: chmod 600 it (ssh_key_file)',
  ],
  [
    /Permission denied|Too many authentication failures|Load key .*(?:invalid|error|incorrect)/,
    (to) =>
      `${to} denies the login. Check the key (ssh_key_file, or the agent of ssh) and authorized_keys on the machine`,
  ],
  [
    /docker: (?:command )?not found|docker: No such file|unknown command: docker|'dial-stdio' is not|docker: inaccessible/,
    (_, machine) => `There is no docker command (18.09 or later) on ${machine}: install Docker there`,
  ],
  [
    /Cannot connect to the Docker daemon|failed to dial|dial unix .*(?:no such file|connection refused)/i,
    (_, machine) => `No Docker engine responds on ${machine}: start it there (systemctl start docker)`,
  ],
  [/Could not resolve hostname/, (_, machine) => `The name ${machine} cannot be resolved`],
]

const MAX_LENGTH = 300

/** One sentence on why ssh has ended, and what to do. `printed`: its standard error. */
export function describeSshProblem(
  { user, machine, port }: Pick<SshAddress, 'user' | 'machine' | 'port'>,
  printed: string,
  exitCode: number | null,
): string {
  const to = `${user === undefined ? '' : `${user}@`}${machine}`
  const [, describe] = KNOWN.find(([pattern]) => pattern.test(printed)) ?? []
  if (describe)
    return `${describe(port === undefined || port === 22 ? to : `${to} (port ${port})`, machine)}.`
  const lines = printed.split('\n').map((line) => line.trim())
  const last = lines.findLast((line) => line !== '') ?? `it ended with ${exitCode ?? 'a signal'}`
  return `ssh has no connection to ${machine}: ${last.slice(0, MAX_LENGTH).replace(/\.$/, '')}.`
}
