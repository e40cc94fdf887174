import type { OutsideFlags } from '../../working-directory/outside/open-outside.js'

export interface LocalOptions extends OutsideFlags {
  /** If absent, the default file in the top folder of the working directory. */
  file?: string
  list?: boolean
  needs?: boolean
  ref?: string
  source: string
  var: ReadonlyMap<string, string>
  varFile: ReadonlyMap<string, string>
  input: ReadonlyMap<string, string>
  secret: ReadonlyMap<string, string>
  concurrency: number
  image: string
  privileged?: boolean
  pull?: boolean
  /** Directory for the files of artifacts. */
  artifacts?: string
  verbose?: boolean
  /** Address of a job of a server to run instead. */
  from?: string
  /** Directory for files that are kept between runs. If absent, in the user's cache directory. */
  cacheDir?: string
}
