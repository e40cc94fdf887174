/** What a systemd unit says about the process that it starts. */
export interface Unit {
  command: string[]
  user: string
  folder: string
  /** Of the unit itself, and then of the file that it names. */
  environment: Record<string, string>
}

/** Reads a unit without quotes and specifiers, and its file of variables. */
export async function readUnit(text: string, read: (path: string) => Promise<string>): Promise<Unit> {
  const valuesOf = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  const valueOf = (key: string) => valuesOf(key)[0] ?? ''
  const variables = await read(valueOf('EnvironmentFile').replace(/^-/, ''))
  const own = valuesOf('Environment').flatMap((line) => line.split(' '))
  const assignments = [...own, ...variables.split('\n')].flatMap((line) => {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value]]
  })
  return {
    command: valueOf('ExecStart').split(' '),
    user: valueOf('User') || 'root',
    folder: valueOf('WorkingDirectory'),
    environment: Object.fromEntries(assignments) as Record<string, string>,
  }
}
