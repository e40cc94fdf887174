import { isMap } from '../yaml/config-value.js'
import { anyText, type Check, objectOf } from './schema.js'

/** The source of a step's function: a URL, a Git repository, or a registry image. */
export const checkOrigin: Check = (value, at) => {
  if (typeof value === 'string') return
  if (isMap(value)) objectOf(value.has('oci') && !value.has('git') ? ociSchema : gitSchema)(value, at)
  else at.refuse('value', 'is not a string')
}

export const gitOriginShape = {
  attributes: { url: anyText, rev: anyText, dir: anyText, file: anyText },
  children: {},
  required: ['url', 'rev'],
}

export const ociOriginShape = {
  attributes: { registry: anyText, repository: anyText, tag: anyText, dir: anyText, file: anyText },
  children: {},
  required: ['registry', 'repository', 'tag'],
}

export const originShape = {
  attributes: { git: objectOf(gitOriginShape), oci: objectOf(ociOriginShape) },
  children: {},
}

const gitSchema = { attributes: { git: originShape.attributes.git }, children: {}, required: ['git'] }
const ociSchema = { attributes: { oci: originShape.attributes.oci }, children: {}, required: ['oci'] }
