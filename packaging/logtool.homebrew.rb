# Rendered by scripts/release/render-manifests.mjs for a Homebrew tap.
class Logtool < Formula
  desc "{{description}}"
  homepage "{{repository}}"
  version "{{version}}"
  license "{{license}}"

  on_macos do
    on_arm do
      url "{{url darwin-arm64}}"
      sha256 "{{sha256 darwin-arm64}}"
    end
    on_intel do
      url "{{url darwin-x64}}"
      sha256 "{{sha256 darwin-x64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url linux-arm64}}"
      sha256 "{{sha256 linux-arm64}}"
    end
    on_intel do
      url "{{url linux-x64}}"
      sha256 "{{sha256 linux-x64}}"
    end
  end

  def install
    bin.install "logtool"
    bin.install_symlink "logtool" => "kubectl-logtool"
    bin.install_symlink "logtool" => "kubectl_complete-logtool"
    man1.install "logtool.1"
    generate_completions_from_executable(bin/"logtool", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/logtool --version")
  end
end
