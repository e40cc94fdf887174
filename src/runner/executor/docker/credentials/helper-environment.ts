/** What a program needs in order to run, and where it finds a keychain, a proxy or an authority. */
const NAMES = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'DOCKER_CONFIG',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'GNUPGHOME',
  'PASSWORD_STORE_DIR',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
])

/** Settings of the programs of the large clouds. */
const PREFIXES = ['AWS_', 'AZURE_', 'CLOUDSDK_', 'GOOGLE_']

/** The part of the environment of the daemon that a credential helper gets: no token of a runner is in it. */
export function helperEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix)),
    ),
  )
}
