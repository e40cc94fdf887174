import type { PlannedRelease } from '../plan.js'
import { isList, isMap } from '../yaml/config-value.js'
import { isDateTime } from './date-time.js'
import { isGitRef } from './git-ref.js'
import { mapOf, readMapEntry, requireWritten } from './map-entry.js'
import type { Reader } from './reader.js'
import { oneOf, readName, readString, readStringOrStrings, setItems } from './simple-values.js'

type Link = NonNullable<PlannedRelease['links']>[number]

export const LINK_TYPES = ['other', 'runbook', 'image', 'package']

/** The release that the job creates after its script (CI language, 3.14). */
export const readRelease: Reader<PlannedRelease> = (value, location) => {
  if (!isMap(value)) return location.refuse('should be a hash')
  const read = readMapEntry(releaseShape, value, location, (map) =>
    requireWritten(map, ['tag_name', 'description'], location),
  )
  return (
    read && {
      tagName: read.tag_name ?? '',
      description: read.description ?? '',
      ...(read.tag_message !== undefined && { tagMessage: read.tag_message }),
      ...(read.name !== undefined && { name: read.name }),
      ...(read.ref !== undefined && { ref: read.ref }),
      ...(read.milestones && { milestones: read.milestones }),
      ...(read.released_at !== undefined && { releasedAt: read.released_at }),
      ...(read.assets?.links && { links: read.assets.links }),
    }
  )
}

const readRef: Reader<string> = (value, location) =>
  typeof value === 'string' && isGitRef(value) ? value : location.refuse('must be a valid ref')

const readReleasedAt: Reader<string> = (value, location) =>
  typeof value === 'string' && isDateTime(value) ? value : location.refuse('must be a valid datetime')

const readLinkType = oneOf(LINK_TYPES, `must be one of: ${LINK_TYPES.join(', ')}`)

export const releaseLinkShape = {
  attributes: { name: readName, url: readName, filepath: readString, link_type: readLinkType },
  children: {},
}

const readLink: Reader<Link> = (value, location) => {
  if (!isMap(value)) return location.refuse('should be a hash')
  const read = readMapEntry(releaseLinkShape, value, location, (map) =>
    requireWritten(map, ['name', 'url'], location),
  )
  return (
    read && {
      name: read.name ?? '',
      url: read.url ?? '',
      ...(read.filepath !== undefined && { filepath: read.filepath }),
      ...(read.link_type !== undefined && { linkType: read.link_type }),
    }
  )
}

const readLinks: Reader<Link[]> = (value, location) => {
  if (!isList(value)) return location.refuse('should be an array')
  if (value.length === 0) return location.refuse("can't be blank")
  return setItems(value)
    .map((item) => readLink(item.value, location.item('link', item.position)))
    .filter((link) => link !== null)
}

export const releaseAssetsShape = { attributes: {}, children: { links: readLinks } }

export const releaseShape = {
  attributes: {
    tag_name: readName,
    description: readName,
    tag_message: readString,
    name: readString,
    ref: readRef,
    milestones: readStringOrStrings,
    released_at: readReleasedAt,
  },
  children: {
    assets: mapOf(releaseAssetsShape, (map, location) => requireWritten(map, ['links'], location)),
  },
}
