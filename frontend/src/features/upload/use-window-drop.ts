import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Takes files dropped anywhere on the window, and tells whether one is being dragged over it.
 * A drop is never left to the browser, which would leave the page to show the file.
 */
export function useWindowDrop(onDrop: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const drop = useEffectEvent(onDrop)

  useEffect(() => {
    // Each element the pointer enters says enter, and each it leaves says leave, enter first.
    let depth = 0
    const stop = new AbortController()
    const listen = (
      type: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
      hear: (event: DragEvent) => void,
    ) =>
      window.addEventListener(
        type,
        event => {
          if (!event.dataTransfer?.types.includes('Files')) return
          event.preventDefault()
          hear(event)
        },
        { signal: stop.signal },
      )
    listen('dragenter', () => {
      depth++
      setIsOver(true)
    })
    listen('dragover', event => {
      event.dataTransfer!.dropEffect = 'copy'
    })
    listen('dragleave', () => {
      depth = Math.max(0, depth - 1)
      if (depth === 0) setIsOver(false)
    })
    listen('drop', event => {
      depth = 0
      setIsOver(false)
      drop([...event.dataTransfer!.files])
    })
    return () => stop.abort()
  }, [])

  return isOver
}
