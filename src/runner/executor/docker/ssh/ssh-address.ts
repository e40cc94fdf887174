/** `ssh://[user@]machine[:port][/path/of/docker.sock]` */
export interface SshAddress {
  user: string | undefined
  machine: string
  port: number | undefined
  /** Socket of the engine on the machine. Undefined: the one that `docker` uses there. */
  socket: string | undefined
}

const FORM =
  /^ssh:\/\/(?:(?<user>[a-z0-9_][\w.-]*)@)?(?<machine>[a-z0-9][\w.-]*|\[[0-9a-f:.]+\])(?::(?<port>\d{1,5}))?(?<socket>\/[\w./-]*)?$/i

/** Undefined for a text of another form, such as one with a password. Nothing in it can be an option of ssh. */
export function parseSshAddress(text: string): SshAddress | undefined {
  const { user, machine, port, socket } = FORM.exec(text)?.groups ?? {}
  if (machine === undefined || Number(port ?? 22) > 65_535 || Number(port ?? 22) === 0) return undefined
  return {
    user,
    machine: machine.replace(/^\[(.*)\]$/, '$1'),
    port: port === undefined ? undefined : Number(port),
    socket: socket === undefined || socket === '/' ? undefined : socket,
  }
}

/** Seconds. A machine that is silent for three intervals is gone. */
const CONNECT_TIMEOUT = 10
const ALIVE_INTERVAL = 5
/** Seconds that a shared connection without use stays open. It also ends so long after a killed runner. */
const IDLE_SECONDS = 10

/**
 * With a command that ends, ssh ends too and leaves only the shared connection behind. Without one, an ssh that could not
 * share its connection would keep running.
 */
const SHORT_COMMAND = ['true']

/**
 * The arguments of ssh. Besides these, the settings of ssh of the user apply, such as `known_hosts`, the agent and
 * `ProxyJump`. `controlPath`: socket of the connection that all others share.
 */
export function sshArguments(
  { user, machine, port, socket }: SshAddress,
  { keyFile, controlPath }: { keyFile: string | undefined; controlPath: string },
  purpose: 'share' | 'dial',
): string[] {
  const option = (name: string, value: string | number) => ['-o', `${name}=${value}`]
  return [
    '-T',
    ...option('BatchMode', 'yes'),
    ...option('ConnectTimeout', CONNECT_TIMEOUT),
    ...option('ServerAliveInterval', ALIVE_INTERVAL),
    ...option('ServerAliveCountMax', 3),
    ...option('ForwardAgent', 'no'),
    ...option('ForwardX11', 'no'),
    ...option('PermitLocalCommand', 'no'),
    ...option('ClearAllForwardings', 'yes'),
    ...option('ControlPath', controlPath),
    ...(purpose === 'share'
      ? [...option('ControlMaster', 'yes'), ...option('ControlPersist', IDLE_SECONDS)]
      : option('ControlMaster', 'no')),
    ...(keyFile === undefined ? [] : ['-i', keyFile, ...option('IdentitiesOnly', 'yes')]),
    ...(user === undefined ? [] : ['-l', user]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    '--',
    machine,
    ...(purpose === 'share' ? SHORT_COMMAND : dialCommand(socket)),
  ]
}

/** The words are safe in any shell: `parseSshAddress` allows no others. */
function dialCommand(socket: string | undefined): string[] {
  return ['docker', ...(socket === undefined ? [] : ['--host', `unix://${socket}`]), 'system', 'dial-stdio']
}
