/** So that pushes, fetches and packing of any size need little memory. */
export const memorySettings = {
  'core.bigFileThreshold': '8m',
  'core.deltaBaseCacheLimit': '16m',
  'pack.windowMemory': '32m',
  'pack.threads': '1',
}

/** Of all refs, only those that clients make and use. A later value wins over an earlier one. */
const CLIENT_REFS = ['refs', '!refs/heads', '!refs/tags', '!refs/notes']

/** How git serves a repository: passed with each call, so that they also hold for repositories of an older version. */
export const serviceSettings = {
  // A runner fetches the commit of its job, whether or not a branch still leads there.
  'uploadpack.allowAnySHA1InWant': 'true',
  'uploadpack.allowFilter': 'true',
  'receive.advertisePushOptions': 'true',
  'receive.advertiseAtomic': 'true',
  'receive.autogc': 'false',
  // A hidden ref cannot be pushed either: this holds even if the rules of the push let one pass.
  'receive.hideRefs': CLIENT_REFS,
  // Runners fetch the ref of their pipeline.
  'uploadpack.hideRefs': [...CLIENT_REFS, '!refs/pipelines'],
  // Objects made to harm those who check them out are refused; three old mistakes of harmless tools are not.
  'receive.fsckObjects': 'true',
  'receive.fsck.badTimezone': 'ignore',
  'receive.fsck.missingSpaceBeforeDate': 'ignore',
  'receive.fsck.zeroPaddedFilemode': 'ignore',
  // Packs are kept as they come; `runHousekeeping` puts them together.
  'receive.unpackLimit': '1',
  ...memorySettings,
  // The reflog says which push moved a ref, see `hasMoved`.
  'core.logAllRefUpdates': 'always',
}
