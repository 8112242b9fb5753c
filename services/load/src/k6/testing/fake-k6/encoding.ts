export default { b64encode: (text: string) => btoa(text) }
