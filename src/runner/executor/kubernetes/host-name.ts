const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Whether the API accepts the name in the list of hosts of a pod. */
export function isHostName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((part) => LABEL.test(part))
}
