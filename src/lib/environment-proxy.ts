/**
 * The proxy that the environment names for a URL (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, also in lower case), with its user and
 * password. Undefined if there is none.
 */
export function environmentProxy(url: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const read = (name: string) => environment[name] ?? environment[name.toUpperCase()]
  const plain = read('http_proxy')
  const proxy = url.protocol === 'https:' ? (read('https_proxy') ?? plain) : plain
  if (!proxy || !URL.canParse(proxy) || isExempt(url, read('no_proxy') ?? '')) return undefined
  return new URL(proxy)
}

function isExempt({ hostname, port, protocol }: URL, exemptions: string): boolean {
  const usedPort = port || (protocol === 'https:' ? '443' : '80')
  return exemptions.split(/[,\s]+/).some((entry) => {
    const [, name = '', only] = /^\*?\.?([^:]+)(?::(\d+))?$/.exec(entry) ?? []
    if (entry === '*') return true
    if (name === '' || (only !== undefined && only !== usedPort)) return false
    return hostname === name || hostname.endsWith(`.${name}`)
  })
}
