"""Writes a tiny Llama model of random weights, in GGUF, for a server that nobody here wrote.

It knows the 256 bytes as tokens and says nothing sensible, but only in letters: the first number of its state stays what it
was, and votes for them. Its window is 1,024 tokens. Needs the packages gguf and numpy.
"""

import sys

import gguf
import numpy

WIDTH, HEADS, LAYERS, HIDDEN, WINDOW = 64, 4, 2, 128, 1024
TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)


def main(path: str) -> None:
    tokens = [b"<unk>", b"<s>", b"</s>"] + [f"<0x{byte:02X}>".encode() for byte in range(256)]
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL] + [gguf.TokenType.BYTE] * 256
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(WINDOW)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template(TEMPLATE)
    dice = numpy.random.default_rng(7)

    def matrix(name: str, *shape: int, first_row=None, first_column=None) -> None:
        values = dice.normal(0, 0.02, shape).astype(numpy.float32)
        if first_row is not None:
            values[0, :] = first_row
        if first_column is not None:
            values[:, 0] = first_column
        writer.add_tensor(name, values)

    def norm(name: str) -> None:
        writer.add_tensor(name, numpy.ones(WIDTH, dtype=numpy.float32))

    votes = [-9.0] * 3 + [9.0 if 97 <= byte <= 122 else -9.0 for byte in range(256)]
    matrix("token_embd.weight", len(tokens), WIDTH, first_column=1.0)
    norm("output_norm.weight")
    matrix("output.weight", len(tokens), WIDTH, first_column=votes)
    for layer in range(LAYERS):
        block = f"blk.{layer}"
        norm(f"{block}.attn_norm.weight")
        for part in ("attn_q", "attn_k", "attn_v"):
            matrix(f"{block}.{part}.weight", WIDTH, WIDTH)
        matrix(f"{block}.attn_output.weight", WIDTH, WIDTH, first_row=0.0)
        norm(f"{block}.ffn_norm.weight")
        matrix(f"{block}.ffn_gate.weight", HIDDEN, WIDTH)
        matrix(f"{block}.ffn_up.weight", HIDDEN, WIDTH)
        matrix(f"{block}.ffn_down.weight", WIDTH, HIDDEN, first_row=0.0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main(sys.argv[1])
