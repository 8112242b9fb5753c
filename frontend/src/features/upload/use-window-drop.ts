import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Accepts files that are dropped anywhere on the window. Returns whether a file is being dragged over it. The
 * browser never handles a drop, because it would leave the page to show the file.
 */
export function useWindowDrop(onDrop: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const drop = useEffectEvent(onDrop)

  useEffect(() => {
    // Each element under the pointer fires enter and leave; the enter of the next comes first.
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
