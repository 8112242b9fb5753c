import type { Locator } from 'playwright-core'

/**
 * Returns the first visible, enabled control whose name is not in `names`, and adds it. Leaves out those of dialogs,
 * unless all are meant.
 */
export async function firstOther(
  controls: Locator,
  names: Set<string>,
  { inDialogs = false } = {},
): Promise<Locator | null> {
  for (const control of await controls.all()) {
    if (!(await control.isVisible()) || !(await control.isEnabled())) continue
    const { name, canFocus, isInDialog } = await control.evaluate(element => ({
      name: element.ariaLabel ?? element.textContent ?? '',
      // Of a group of radio buttons, the Tab key stops only at the chosen one.
      canFocus: element instanceof HTMLElement && (element.tabIndex >= 0 || element.role === 'radio'),
      isInDialog: element.closest('[role=dialog]') !== null,
    }))
    if (!canFocus || (isInDialog && !inDialogs) || names.has(name)) continue
    names.add(name)
    return control
  }
  return null
}
