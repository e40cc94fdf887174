import { createInterface } from 'node:readline/promises'

import { CommandError } from './action.js'

export interface Question {
  text: string
  /** Taken for an empty answer, and shown. */
  fallback?: string
  /** What is wrong with an answer; undefined when nothing is. */
  problemOf?: (answer: string) => string | undefined | Promise<string | undefined>
}

/** Asks a person until the answer will do. */
export type Ask = (question: Question) => Promise<string>

/** Whether there is a person to ask. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/** Lends a terminal. Ctrl-C and the end of the input end the command with `whenLeft` instead of an answer. */
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
