import { useEffect, useRef } from 'preact/hooks'

import { Button } from './button.js'
import styles from './load-more.module.css'

interface LoadMoreProps {
  /** The next page is being read. */
  isBusy: boolean
  onMore: () => void
  /** What is listed, such as "projects". */
  of: string
}

/** At the end of a list that has more pages: reads the next one when it comes into sight, or by its button. */
export function LoadMore({ isBusy, onMore, of }: LoadMoreProps) {
  const box = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  more.current = onMore
  useEffect(() => {
    const element = box.current
    if (!element || isBusy) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) more.current()
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isBusy])
  return (
    <div ref={box} class={styles['more']}>
      <Button isChange={false} isBusy={isBusy} onClick={onMore}>
        {isBusy ? 'Loading…' : `Show more ${of}`}
      </Button>
    </div>
  )
}
