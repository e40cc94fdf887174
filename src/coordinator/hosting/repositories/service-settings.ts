/** Limits the memory of pushes, fetches and packing, whatever the size of the repository. */
export const memorySettings = {
  'core.bigFileThreshold': '8m',
  'core.deltaBaseCacheLimit': '16m',
  'pack.windowMemory': '32m',
  'pack.threads': '1',
}

/** Hides all refs that clients neither create nor use. A later value takes precedence over an earlier one. */
const CLIENT_REFS = ['refs', '!refs/heads', '!refs/tags', '!refs/notes']

/**
 * Settings of git services. They are passed with each call, so that they also apply to repositories of older
 * versions.
 */
export const serviceSettings = {
  // A runner fetches the commit of its job even if no branch points to it any more.
  'uploadpack.allowAnySHA1InWant': 'true',
  'uploadpack.allowFilter': 'true',
  'receive.advertisePushOptions': 'true',
  'receive.advertiseAtomic': 'true',
  'receive.autogc': 'false',
  // Hidden refs cannot be pushed either, even if the push rules would allow one.
  'receive.hideRefs': CLIENT_REFS,
  // Runners fetch the ref of their pipeline, and users those of a merge request.
  'uploadpack.hideRefs': [...CLIENT_REFS, '!refs/pipelines', '!refs/merge-requests'],
  // While git checks pushed objects, it treats the repository itself as an alternate and would list all its refs again,
  // including hidden ones. With 20,000 pipelines, this takes 0.15 s.
  'core.alternateRefsCommand': 'true',
  // Packing takes most of the time of a fetch. While hundreds clone, requests of runners come first.
  'uploadpack.packObjectsHook': 'nice -n 10',
  // Malicious objects are refused; three harmless errors of old tools are ignored.
  'receive.fsckObjects': 'true',
  'receive.fsck.badTimezone': 'ignore',
  'receive.fsck.missingSpaceBeforeDate': 'ignore',
  'receive.fsck.zeroPaddedFilemode': 'ignore',
  // Packs are stored as received; `runHousekeeping` combines them.
  'receive.unpackLimit': '1',
  ...memorySettings,
  // The reflog shows which push moved a ref, see `hasMoved`.
  'core.logAllRefUpdates': 'always',
}
