const listeners = new WeakMap<Element, (isNear: boolean) => void>()
let observer: IntersectionObserver | undefined

/**
 * Tells whether an element is in sight or less than half a window away, now and whenever that changes.
 * @returns ends it
 */
export function watchNear(element: Element, onChange: (isNear: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { rootMargin: '50%' },
  )
  const watching = observer
  listeners.set(element, onChange)
  watching.observe(element)
  return () => {
    listeners.delete(element)
    watching.unobserve(element)
  }
}
