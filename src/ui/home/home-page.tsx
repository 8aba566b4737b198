export function HomePage() {
  return <main>logtool</main>;
}
