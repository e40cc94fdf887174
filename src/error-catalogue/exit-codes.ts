/** Exit codes of `switchyard` other than 0. The command prints the reason to standard error. */
export const EXIT_CODES = {
  failed: {
    code: 1,
    meaning: 'the command, a daemon at its start, or what the command checked or ran has failed',
    remedy: 'Do what the sentence on standard error, or the end of the log, says.',
  },
  usage: {
    code: 2,
    meaning: '`switchyard local` cannot carry out the request as it is written',
    remedy: 'Correct the options or the names of jobs: `switchyard local --help` lists them.',
  },
  /** What shells use for a program that Ctrl-C ended. */
  interrupted: {
    code: 130,
    meaning: '`switchyard local` or `switchyard up --once` was ended with Ctrl-C or SIGTERM',
    remedy: 'Nothing. Only a third Ctrl-C leaves containers behind.',
  },
} as const
