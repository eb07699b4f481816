"""Runs in a virtual environment in which the wheel is installed."""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import chatmd_cli
from chatmd_cli import ChatmdError, ChatmdWarning

DOCUMENT = '<config model="gpt-5"/>\n\n<user>\nHello.\n</user>\n'
PICTURE = '<config model="gpt-5"/>\n<user>\nLook. <img src="a.png" local/>\n</user>\n'
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)


def response(**fields):
    text = {"type": "output_text", "text": "Hi."}
    message = {"type": "message", "role": "assistant", "content": [text]}
    return {"object": "response", "status": "completed", "output": [message], **fields}


def test_document_becomes_a_request():
    request = chatmd_cli.to_request(DOCUMENT, set=["temperature=0.5", "top_p=1"], stream=True)
    assert request["model"] == "gpt-5"
    assert request["input"][0]["content"] == [{"type": "input_text", "text": "Hello."}]
    assert (request["temperature"], request["top_p"], request["stream"]) == (0.5, 1, True)


def test_reply_becomes_a_document():
    reply = chatmd_cli.from_response(response())
    assert "<assistant>\nHi.\n</assistant>" in reply.document
    assert reply.complete and reply.warnings == []


def test_reply_may_be_text_or_bytes():
    as_text = json.dumps(response())
    assert chatmd_cli.from_response(as_text) == chatmd_cli.from_response(as_text.encode()) == chatmd_cli.from_response(response())


def chat_reply(reason):
    choice = {"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": "Hi."}}
    return {"object": "chat.completion", "choices": [choice]}


def messages_reply(reason):
    return {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hi."}], "stop_reason": reason}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (response(status="incomplete", incomplete_details={"reason": "max_output_tokens"}), "max_output_tokens"),
        (messages_reply("max_tokens"), "max_tokens"),
        (chat_reply("length"), "length"),
    ],
)
def test_reply_that_ended_early_is_not_complete(reply, reason):
    reply = chatmd_cli.from_response(reply)
    assert "Hi." in reply.document
    assert not reply.complete
    assert any(reason in warning.message for warning in reply.warnings)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "No such model.", "type": "invalid_request_error"}},
        {"type": "error", "error": {"message": "No such model.", "type": "not_found_error"}},
        {"error": {"message": "No such model.", "type": "invalid_request_error", "param": None, "code": None}},
    ],
)
def test_error_of_the_api_is_an_exception(body):
    with pytest.raises(ChatmdError) as error:
        chatmd_cli.from_response(body)
    assert error.value.exit_code == 4
    assert "No such model." in error.value.message


def test_text_of_the_api_is_one_message():
    message = "Bad.\n --> a.md:1:1\nerror: other\n  = help: other"
    with pytest.raises(ChatmdError) as error:
        chatmd_cli.from_response({"error": {"message": message}})
    assert error.value.message == f"API error: {message}"
    assert [(finding.message, finding.file, finding.help) for finding in error.value.findings] == [(error.value.message, None, None)]


def test_message_of_a_wrong_flag_names_the_right_ones():
    with pytest.raises(ChatmdError, match="hoist, inline"):
        chatmd_cli.to_request(DOCUMENT, tool_images="elsewhere")


@pytest.mark.parametrize("reply", ['{"object":"response",', "hello", b"\xff", ""])
def test_malformed_reply_has_a_finding_with_its_place(reply):
    with pytest.raises(ChatmdError) as error:
        chatmd_cli.from_response(reply)
    assert error.value.exit_code == 65
    assert [(finding.severity, finding.line) for finding in error.value.findings] == [("error", 1)]


def test_malformed_document_has_findings_with_places():
    with pytest.raises(ChatmdError) as error:
        chatmd_cli.to_request(DOCUMENT + "<usr>")
    assert error.value.exit_code == 65
    finding = error.value.findings[0]
    assert (finding.severity, finding.rule, finding.line, finding.column) == ("error", "text-at-top-level", 6, 1)


def test_files_are_read_only_below_the_base_directory(tmp_path, monkeypatch):
    (tmp_path / "a.png").write_bytes(PNG)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ChatmdError) as error:
        chatmd_cli.to_request(PICTURE)
    assert error.value.exit_code == 66
    request = chatmd_cli.to_request(PICTURE, base_dir=tmp_path)
    assert request["input"][0]["content"][1]["image_url"].startswith("data:image/png;base64,")
    with pytest.raises(ChatmdError) as error:
        chatmd_cli.to_request(PICTURE.replace("a.png", "../a.png"), base_dir=tmp_path)
    assert error.value.exit_code == 77
    for path in (tmp_path / "a.png", tmp_path / "absent"):
        with pytest.raises(NotADirectoryError):
            chatmd_cli.to_request(DOCUMENT, base_dir=path)


def test_environment_and_settings_have_no_effect(tmp_path, monkeypatch):
    (tmp_path / "a.png").write_bytes(PNG)
    (tmp_path / "chatmd.toml").write_text('api = "chat"\n')
    monkeypatch.setenv("CHATMD_ROOT", str(tmp_path))
    monkeypatch.setenv("CHATMD_API", "messages")
    monkeypatch.chdir(tmp_path)
    assert "input" in chatmd_cli.to_request(DOCUMENT, base_dir=tmp_path)
    with pytest.raises(ChatmdError) as error:
        chatmd_cli.to_request(PICTURE)
    assert error.value.exit_code in (66, 77)


def test_other_apis(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = DOCUMENT.replace("/>", ' store="true"/>')
    request = chatmd_cli.to_request(document, api="messages", set=["max_tokens=100"], ledger="changes.jsonl")
    assert request["messages"][0]["role"] == "user" and request["max_tokens"] == 100
    assert (tmp_path / "changes.jsonl").read_text()
    assert chatmd_cli.to_request(DOCUMENT, api="chat")["messages"][0]["content"] == "Hello."
    for reply in (messages_reply("end_turn"), chat_reply("stop")):
        assert chatmd_cli.from_response(reply) == chatmd_cli.Reply("<assistant>\nHi.\n</assistant>\n", True, [])


def test_warnings_of_a_request_are_warnings():
    with pytest.warns(ChatmdWarning, match="colour") as caught:
        chatmd_cli.to_request(DOCUMENT.replace("<user>", '<user colour="red">'))
    finding = caught[0].message.finding
    assert (finding.rule, finding.file, finding.line) == ("unknown-attribute", None, 3)


def test_finding_of_an_import_names_its_file(tmp_path):
    (tmp_path / "document.chat.md").write_text('<user colour="red">\nHello.\n</user>\n')
    findings = chatmd_cli.check('<config model="m"/>\n<import src="document.chat.md" local/>\n', base_dir=tmp_path)
    assert [os.path.basename(finding.file) for finding in findings] == ["document.chat.md"]


def test_check_returns_findings():
    assert chatmd_cli.check(DOCUMENT) == []
    findings = chatmd_cli.check(DOCUMENT.replace("<user>", '<user colour="red">'))
    assert [(finding.rule, finding.severity, finding.file, finding.line) for finding in findings] == [
        ("unknown-attribute", "warning", None, 3)
    ]


def test_check_reports_a_stream_that_ended_early():
    findings = chatmd_cli.check('data: {"type":"response.output_text.delta","delta":"x"}\n\n')
    assert [finding.message for finding in findings] == ["the stream ended before the response did"]


def test_flags_that_print_something_else_are_refused():
    for call, flag in [(chatmd_cli.to_request, "input_only"), (chatmd_cli.from_response, "append"), (chatmd_cli.check, "fix_")]:
        with pytest.raises(TypeError, match="is not possible here"):
            call(DOCUMENT, **{flag: "x"})
    # Standard output has the request.
    with pytest.raises(TypeError, match="ledger"):
        chatmd_cli.to_request(DOCUMENT, ledger="-")


def test_unknown_flag_is_an_exception():
    with pytest.raises(ChatmdError) as error:
        chatmd_cli.to_request(DOCUMENT, no_such_flag=True)
    assert error.value.exit_code == 2


def test_timeout_ends_the_program():
    with pytest.raises(subprocess.TimeoutExpired):
        chatmd_cli.to_request(DOCUMENT, timeout=1e-9)


def test_timeout_ends_what_the_program_has_started(tmp_path):
    page = DOCUMENT.replace("Hello.", '<doc src="https://example.com/"/>')
    late = tmp_path / "late"
    with pytest.raises(subprocess.TimeoutExpired):
        chatmd_cli.to_request(page, fetch_command=f"sh -c 'sleep 2 && touch {late}'", timeout=0.5)
    time.sleep(2.5)
    assert not late.exists()


def test_calls_may_run_at_the_same_time():
    with ThreadPoolExecutor(8) as pool:
        requests = pool.map(lambda n: chatmd_cli.to_request(DOCUMENT.replace("Hello", str(n))), range(40))
        assert [request["input"][0]["content"][0]["text"] for request in requests] == [f"{n}." for n in range(40)]


def test_current_directory_may_be_gone(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert chatmd_cli.to_request(DOCUMENT)["model"] == "gpt-5"


def test_program_is_not_taken_from_the_current_directory(tmp_path, monkeypatch):
    (tmp_path / "chatmd").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", "")
    monkeypatch.setattr(sysconfig, "get_path", lambda *_, **__: str(tmp_path / "absent"))
    with pytest.raises(FileNotFoundError, match="install the wheel"):
        chatmd_cli.find_chatmd_bin()


def test_module_runs_the_program():
    done = subprocess.run([sys.executable, "-m", "chatmd_cli", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("chatmd ")
    assert os.path.samefile(chatmd_cli.find_chatmd_bin(), Path(sysconfig.get_path("scripts")) / "chatmd")


def test_examples_of_the_page_run(capsys):
    page = importlib.metadata.metadata("chatmd-cli")["Description"]
    (example,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    exec(example)
    assert "1 7 warning unknown attribute `color`" in capsys.readouterr().out


def test_wheel_has_manual_pages_and_completions():
    share = Path(sys.prefix) / "share"
    assert (share / "man/man1/chatmd-send.1").is_file()
    assert (share / "bash-completion/completions/chatmd").is_file()
