/**
 * Sets the text of an element that holds nothing else. It changes the text node that is there, because a new one is
 * styled and attached again: too much work at 60 samples a second.
 */
export function setText(element: HTMLElement, text: string) {
  const node = element.firstChild
  if (!(node instanceof Text)) element.textContent = text
  else if (node.data !== text) node.data = text
}
