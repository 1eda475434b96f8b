/** Hands a text over as a file: the desktop asks where to, a browser puts it among its downloads. */
export function saveFile(name: string, text: string, mediaType = 'application/yaml'): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
