import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGHUP'])

/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_SIGNAL_MILLISECONDS = 500

/**
 * Runs a Node.js program in the foreground and passes signals on to it, each once.
 * @param {string[]} args script and arguments
 * @returns {Promise<number>} its exit code; 128 plus the number of the signal if a signal ended it
 */
export async function runChild(args) {
  // A separate session, so that it receives Ctrl-C only from this process.
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
  const stopForwarding = forwardSignals((signal) => child.kill(signal))
  try {
    return await exitCodeOf(child)
  } finally {
    stopForwarding()
  }
}

/**
 * Takes the signals that end a program.
 * @param {(signal: NodeJS.Signals) => void} forward
 * @returns {() => void} restores the default handling
 */
export function forwardSignals(forward) {
  /** @type {Map<NodeJS.Signals, number>} */
  const last = new Map()
  /** @param {NodeJS.Signals} signal */
  const onSignal = (signal) => {
    const isRepeated = Date.now() - (last.get(signal) ?? 0) < SAME_SIGNAL_MILLISECONDS
    last.set(signal, Date.now())
    if (!isRepeated) forward(signal)
  }
  for (const signal of FORWARDED) process.on(signal, onSignal)
  return () => FORWARDED.forEach((signal) => process.off(signal, onSignal))
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}
