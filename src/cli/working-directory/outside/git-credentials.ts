import { execa } from 'execa'

/** The password or token that the user's git has for a server, without asking the user. */
export async function gitCredential({ protocol, host }: URL, folder: string): Promise<string | undefined> {
  const { stdout } = await execa('git', ['-c', 'core.askPass=', 'credential', 'fill'], {
    cwd: folder,
    input: `protocol=${protocol.replace(':', '')}\nhost=${host}\n\n`,
    env: { GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', SSH_ASKPASS: '' },
    reject: false,
    timeout: 10_000,
  })
  return /^password=(.+)$/m.exec(stdout)?.[1]
}
