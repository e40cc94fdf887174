import type { Readable } from 'node:stream'

import { TreeReader } from '../../src/archive/tree-inputs.js'
import { zipInputs, type ZipOptions } from '../../src/archive/zip-writer.js'

/** A zip of `names` below `root` (`/` as separator, directories end in `/`), in that order. */
export function zipFiles(root: string, names: Iterable<string>, options: ZipOptions): Readable {
  return zipInputs(new TreeReader(root).inputs(names), options)
}
