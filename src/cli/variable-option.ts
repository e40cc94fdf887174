import { InvalidArgumentError, Option } from 'commander'

/** `--var KEY=VALUE`, which may be given several times. The value is a map of pipeline variables. */
export function variableOption(): Option {
  return assignments('--var <KEY=VALUE>', 'a pipeline variable', {
    form: /^([A-Za-z_]\w*)=(.*)$/s,
    problem: 'A variable must have the form KEY=VALUE.',
  })
}

/** `--input NAME=VALUE`, which may be given several times. The values are converted to the types of the inputs. */
export function inputOption(): Option {
  return assignments('--input <NAME=VALUE>', 'an input of the CI file', {
    form: /^([^=]+)=(.*)$/s,
    problem: 'An input must have the form NAME=VALUE.',
  })
}

function assignments(
  flags: string,
  description: string,
  { form, problem }: { form: RegExp; problem: string },
): Option {
  const collect = (given: string, before: ReadonlyMap<string, string>) => {
    const [, key, value] = form.exec(given) ?? []
    if (key === undefined || value === undefined) throw new InvalidArgumentError(problem)
    return new Map([...before, [key, value]])
  }
  return new Option(flags, `${description}; may be given several times`)
    .argParser(collect)
    .default(new Map(), 'none')
}
