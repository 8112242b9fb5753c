import type { ElementHandle, Locator } from 'playwright-core'

export interface NamedControl {
  readonly name: string
  readonly control: ElementHandle
}

/**
 * Returns the first visible, enabled control whose name is not in `names`, and adds it. Leaves out those of dialogs,
 * unless all are meant.
 */
export async function firstOther(
  controls: Locator,
  names: Set<string>,
  { inDialogs = false } = {},
): Promise<NamedControl | null> {
  // Handles, because a locator would wait for a control that is gone.
  const handles = await controls.elementHandles()
  // In one call: there are as many searches as controls.
  const facts = await controls.page().evaluate(
    elements =>
      elements.map(element => ({
        name: element instanceof Element ? (element.ariaLabel ?? element.textContent) : '',
        // Of a group of radio buttons, the Tab key stops only at the chosen one.
        canFocus: element instanceof HTMLElement && (element.tabIndex >= 0 || element.role === 'radio'),
        isInDialog: element instanceof Element && element.closest('[role=dialog]') !== null,
      })),
    handles,
  )
  for (const [index, control] of handles.entries()) {
    const { name, canFocus, isInDialog } = facts[index]!
    if (!canFocus || (isInDialog && !inDialogs) || names.has(name)) continue
    if (!(await control.isVisible()) || !(await control.isEnabled())) continue
    names.add(name)
    return { name, control }
  }
  return null
}

/** Presses the control. Returns false if it is gone. */
export async function press({ control }: NamedControl): Promise<boolean> {
  try {
    await control.click()
    return true
  } catch (error) {
    if (!/not attached/.test(String(error))) throw error
    return false
  }
}
