import Module, { createRequire } from 'node:module'

/**
 * Defers loading the CommonJS package `name`, as `from` resolves it, until one of its exports is used. `classes`
 * lists the exports that are read at load time but used later, if at all.
 */
export function requireLater(name: string, from: NodeJS.Require, classes: readonly string[] = []): void {
  const file = from.resolve(name)
  if (from.cache[file]) return
  const load = (): object => {
    if (from.cache[file] === stub) Reflect.deleteProperty(from.cache, file)
    return from(file) as object
  }
  const stub = new Module(file)
  stub.filename = file
  stub.loaded = true
  stub.exports = new Proxy(
    {},
    {
      get: (_, key) =>
        classes.includes(String(key)) ? classLater(load, key) : (Reflect.get(load(), key) as unknown),
      has: (_, key) => Reflect.has(load(), key),
    },
  )
  from.cache[file] = stub
}

function classLater(load: () => object, key: string | symbol): unknown {
  return new Proxy(Object, {
    construct: (_, args) => Reflect.construct(Reflect.get(load(), key) as new () => object, args) as object,
  })
}

/** A `require` that resolves like the package `name` itself, which `from` resolves. */
export function requireOf(name: string, from: NodeJS.Require): NodeJS.Require {
  return createRequire(from.resolve(name))
}
