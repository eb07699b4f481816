class Chatmd < Formula
  desc "Converts ChatMarkdown documents to requests of language-model APIs and back"
  homepage "https://github.com/chatmd/chatmd"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_linux do
    on_intel do
      url "https://github.com/chatmd/chatmd/releases/download/v@VERSION@/@ARCHIVE@"
      sha256 "@SHA256@"
    end
  end

  def install
    bin.install "chatmd"
    man1.install Dir["man/man1/*.1"]
    man7.install Dir["man/man7/*.7"]
    bash_completion.install "completions/chatmd.bash" => "chatmd"
    zsh_completion.install "completions/_chatmd"
    fish_completion.install "completions/chatmd.fish"
  end

  test do
    (testpath/"chat.md").write("<config model=\"gpt-5\"/>\n<user>\nHello.\n</user>\n")
    assert_match "Hello.", shell_output("#{bin}/chatmd to-request chat.md")
  end
end
