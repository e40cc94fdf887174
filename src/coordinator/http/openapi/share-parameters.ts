import { pascalCase } from './openapi-names.js'

/** A parameter in the form of an OpenAPI operation. */
export type Parameter = Record<string, unknown> & { name: string }

type WithParameters = Record<string, unknown> & { parameters: Parameter[] }

type Written = Omit<WithParameters, 'parameters'> & { parameters: (Parameter | { $ref: string })[] }

/** Number of uses from which a parameter is written once and referenced. */
const OFTEN = 3

/** Replaces frequent parameters by references; `components` contains the shared parameters by name. */
export function shareParameters<Key>(operations: ReadonlyMap<Key, WithParameters>): {
  operations: Map<Key, Written>
  components: Record<string, Parameter>
} {
  const names = namesOf([...operations.values()].flatMap(({ parameters }) => parameters))
  const components: Record<string, Parameter> = {}
  const written = [...operations].map(([key, operation]): [Key, Written] => {
    const parameters = operation.parameters.map((parameter) => {
      const name = names.get(JSON.stringify(parameter))
      if (name === undefined) return parameter
      components[name] = parameter
      return { $ref: `#/components/parameters/${name}` }
    })
    return [key, { ...operation, parameters }]
  })
  return { operations: new Map(written), components }
}

/**
 * Names of frequent parameters, by their JSON text. If several have the same name, the later ones get a
 * number.
 */
function namesOf(parameters: Parameter[]): Map<string, string> {
  const times = new Map<string, number>()
  const names = new Map<string, string>()
  const called = new Map<string, number>()
  for (const parameter of parameters) {
    const text = JSON.stringify(parameter)
    times.set(text, (times.get(text) ?? 0) + 1)
    if (times.get(text) !== OFTEN) continue
    const name = pascalCase(parameter.name.replace(/\W/g, ''))
    const number = (called.get(name) ?? 0) + 1
    called.set(name, number)
    names.set(text, number === 1 ? name : `${name}${number}`)
  }
  return names
}
