import { invalid } from '../errors.js'
import type { ConfigMap } from '../yaml/config-value.js'
import type { LoadedConfig } from '../yaml/load-config.js'

/** The content of a file that stands by itself: neither a header nor other files. Throws `ConfigError`. */
export function standalone({ header, content }: LoadedConfig): ConfigMap {
  if (header) throw invalid('spec is not supported by this version of Switchyard', ['spec'])
  if ((content.get('include') ?? null) !== null) {
    throw invalid('include is not supported by this version of Switchyard', ['include'])
  }
  return content
}
