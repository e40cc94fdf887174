import { createInterface } from 'node:readline/promises'

import { CommandError } from './action.js'

export interface Question {
  text: string
  /** Used for an empty answer, and shown. */
  fallback?: string
  /** The problem with an answer. Undefined if it is valid. */
  problemOf?: (answer: string) => string | undefined | Promise<string | undefined>
}

/** Asks a question until the answer is valid. */
export type Ask = (question: Question) => Promise<string>

/** Whether there is a terminal for questions. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/** Provides the terminal. Ctrl-C and the end of the input end the command with the message `whenLeft`. */
export async function withTerminal<T>(whenLeft: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const left = new AbortController()
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  terminal.once('SIGINT', () => left.abort())
  terminal.once('close', () => left.abort())
  const askOnce = async ({ text, fallback }: Question): Promise<string> => {
    const shown = fallback === undefined ? `${text}: ` : `${text} [${fallback}]: `
    try {
      return (await terminal.question(shown, { signal: left.signal })).trim() || (fallback ?? '')
    } catch (error) {
      if (!left.signal.aborted) throw error
      process.stdout.write('\n')
      throw new CommandError([whenLeft])
    }
  }
  try {
    return await work(async (question) => {
      for (;;) {
        const answer = await askOnce(question)
        const problem = await question.problemOf?.(answer)
        if (problem === undefined) return answer
        process.stdout.write(`  ${problem}\n`)
      }
    })
  } finally {
    terminal.close()
  }
}
