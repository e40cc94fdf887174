import { InvalidArgumentError, Option } from 'commander'

/** `--var KEY=VALUE`, which may be given several times: the pipeline variables by name. */
export function variableOption(): Option {
  return new Option('--var <KEY=VALUE>', 'a pipeline variable; may be given several times')
    .argParser(collectVariable)
    .default(new Map(), 'none')
}

function collectVariable(given: string, before: ReadonlyMap<string, string>): Map<string, string> {
  const [, key, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(given) ?? []
  if (key === undefined || value === undefined) {
    throw new InvalidArgumentError('A variable is given as KEY=VALUE.')
  }
  return new Map([...before, [key, value]])
}
