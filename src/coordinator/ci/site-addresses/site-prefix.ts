const MAX_LENGTH = 63

/**
 * The path of a preview, from what the CI file says, such as the name of a branch: lower case, with a `-` for whatever is
 * no letter, digit or `.`, in at most 63 characters. Empty for the main site.
 */
export function prefixOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, MAX_LENGTH)
    .replace(/[-.]+$/, '')
}
