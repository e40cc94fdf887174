import { readFileSync } from 'node:fs'

import { type Command, InvalidArgumentError, Option } from 'commander'

/** Adds the options of `OutsideFlags`, and `--var-file`, to a command. */
export function withOutsideOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--var-file <file>',
        'a file of pipeline variables, KEY=VALUE in each line; may be given several times',
      )
        .argParser(collectFile)
        .default(new Map(), 'none'),
    )
    .addOption(
      new Option(
        '--server <url>',
        'the server of other projects (default: that of the git remote origin)',
      ).argParser(readServer),
    )
    .option(
      '--token <token>',
      'a token for that server (default: SWITCHYARD_TOKEN, else the one that git has)',
    )
    .option('--offline', 'use only copies of files that were fetched before')
    .option('--server-variables', 'also use the variables of the project and its groups')
}

function readServer(given: string): string {
  if (/^https?:\/\//i.test(given) && URL.canParse(given)) return given
  throw new InvalidArgumentError('It must be an address such as https://ci.example.com.')
}

function collectFile(path: string, before: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...before, ...parseVariables(readText(path), path)])
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new InvalidArgumentError(`${path} cannot be read (${String(error.code)}).`)
  }
}

/** Blank lines and lines that begin with `#` do not count; quotes around a whole value are dropped. */
function parseVariables(text: string, path: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line, index): [string, string][] => {
    if (/^\s*(#|$)/.test(line)) return []
    const [, key, value = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*)$/.exec(line) ?? []
    if (key === undefined)
      throw new InvalidArgumentError(`Line ${index + 1} of ${path} does not have the form KEY=VALUE.`)
    return [[key, /^(["'])(.*)\1$/.exec(value)?.[2] ?? value]]
  })
}
