const listeners = new WeakMap<Element, (isNear: boolean) => void>()
let observer: IntersectionObserver | undefined

/**
 * Reports whether an element is visible or less than half a window away, at once and after each change.
 * @returns stops the reports
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
