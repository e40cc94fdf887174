import { createInterface } from 'node:readline/promises'

import { CommandError } from './action.js'

interface Question {
  text: string
  /** Used for an empty answer, and shown. */
  fallback?: string
  /** The problem with an answer. Undefined if it is valid. */
  problemOf?: (answer: string) => string | undefined | Promise<string | undefined>
}

/** Asks a question until the answer is valid. */
export type Ask = (question: Question) => Promise<string>

/** Whether questions can be asked on a terminal. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/** Provides the terminal. Ctrl-C and the end of the input end the command with the message `whenLeft`. */
export async function withTerminal<T>(whenLeft: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const left = new AbortController()
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  terminal.once('SIGINT', () => left.abort())
  terminal.once('close', () => left.abort())
  const askOnce = async (question: Question): Promise<string> => {
    try {
      const answer = await terminal.question(`${shownText(question)} `, { signal: left.signal })
      return answer.trim() || (question.fallback ?? '')
    } catch (error) {
      if (!left.signal.aborted) throw error
      process.stdout.write('\n')
      throw new CommandError([whenLeft])
    }
  }
  try {
    return await work(untilValid(askOnce))
  } finally {
    terminal.close()
  }
}

/** Reads the answers from standard input, one a line. The end of the input ends the command with `whenOver`. */
export async function withPipedAnswers<T>(whenOver: string[], work: (ask: Ask) => Promise<T>): Promise<T> {
  // Unlike the questions of a terminal, the iterator keeps lines that arrive before their question.
  const reader = createInterface({ input: process.stdin })
  const lines = reader[Symbol.asyncIterator]()
  const askOnce = async (question: Question): Promise<string> => {
    process.stdout.write(`${shownText(question)}\n`)
    const line = await lines.next()
    if (line.done) throw new CommandError(whenOver)
    return line.value.trim() || (question.fallback ?? '')
  }
  try {
    return await work(untilValid(askOnce))
  } finally {
    reader.close()
  }
}

function shownText({ text, fallback }: Question): string {
  return fallback === undefined ? `${text}:` : `${text} [${fallback}]:`
}

function untilValid(askOnce: (question: Question) => Promise<string>): Ask {
  return async (question) => {
    for (;;) {
      const answer = await askOnce(question)
      const problem = await question.problemOf?.(answer)
      if (problem === undefined) return answer
      process.stdout.write(`  ${problem}\n`)
    }
  }
}
