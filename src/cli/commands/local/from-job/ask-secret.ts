import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/**
 * Asks for a value on the terminal, without showing what is typed. Undefined if there is no terminal. Ctrl-C and the end of
 * the input leave the value out.
 */
export function terminalPrompt(): ((question: string) => Promise<string>) | undefined {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) return undefined
  return async (question) => {
    stderr.write(question)
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
    const lines = createInterface({ input: stdin, output: silent, terminal: true })
    try {
      return await new Promise<string>((resolve) => {
        lines.once('line', resolve)
        lines.once('close', () => resolve(''))
      })
    } finally {
      lines.close()
      stderr.write('\n')
    }
  }
}
