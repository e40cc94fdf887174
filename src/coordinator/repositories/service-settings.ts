/** So that pushes, fetches and packing of any size need little memory. */
export const memorySettings = {
  'core.bigFileThreshold': '8m',
  'core.deltaBaseCacheLimit': '16m',
  'pack.windowMemory': '32m',
  'pack.threads': '1',
}

/** How git serves a repository: passed with each call, so that they also hold for repositories of an older version. */
export const serviceSettings = {
  // A runner fetches the commit of its job, whether or not a branch still leads there.
  'uploadpack.allowAnySHA1InWant': 'true',
  'uploadpack.allowFilter': 'true',
  'receive.advertisePushOptions': 'true',
  'receive.advertiseAtomic': 'true',
  'receive.autogc': 'false',
  // One ref per pipeline: nobody pushes them, and listing them would slow down every push.
  'receive.hideRefs': 'refs/pipelines',
  // Objects made to harm those who check them out are refused; three old mistakes of harmless tools are not.
  'receive.fsckObjects': 'true',
  'receive.fsck.badTimezone': 'ignore',
  'receive.fsck.missingSpaceBeforeDate': 'ignore',
  'receive.fsck.zeroPaddedFilemode': 'ignore',
  // Packs are kept as they come; `tendRepositories` puts them together.
  'receive.unpackLimit': '1',
  ...memorySettings,
  // The reflog says which push moved a ref, see `hasMoved`.
  'core.logAllRefUpdates': 'always',
}
